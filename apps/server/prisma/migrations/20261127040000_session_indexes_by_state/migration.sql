-- DropIndex
DROP INDEX "Session_organizationId_id_idx";

-- DropIndex
DROP INDEX "Session_userId_id_idx";

-- DropIndex
DROP INDEX "Session_userId_idx";

-- CreateIndex
CREATE INDEX "Session_organizationId_id_ended_idx" ON "Session"("organizationId", "id" DESC) WHERE ("state" <> 'open');

-- CreateIndex
CREATE INDEX "Session_userId_id_open_idx" ON "Session"("userId", "id" DESC) WHERE ("state" = 'open');

-- CreateIndex
CREATE INDEX "Session_userId_id_ended_idx" ON "Session"("userId", "id" DESC) WHERE ("state" <> 'open');
