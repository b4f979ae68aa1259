-- DropIndex
DROP INDEX "Session_applicationId_state_lastActivityAt_idx";

-- DropIndex
DROP INDEX "Session_integrationId_state_idx";

-- DropIndex
DROP INDEX "Session_keyId_idx";

-- DropIndex
DROP INDEX "Session_tokenId_attachmentId_era_state_id_idx";

-- DropIndex
DROP INDEX "Session_userId_state_idx";

-- CreateIndex
CREATE INDEX "Session_applicationId_lastActivityAt_idx" ON "Session"("applicationId", "lastActivityAt") WHERE ("state" = 'open');

-- CreateIndex
CREATE INDEX "Session_integrationId_idx" ON "Session"("integrationId") WHERE ("state" = 'open');

-- CreateIndex
CREATE INDEX "Session_userId_idx" ON "Session"("userId") WHERE ("state" = 'open');

-- CreateIndex
CREATE INDEX "Session_tokenId_attachmentId_state_id_idx" ON "Session"("tokenId", "attachmentId", "state", "id" DESC) WHERE ("era" = 'modern');

-- CreateIndex
CREATE INDEX "Session_keyId_idx" ON "Session"("keyId") WHERE ("keyId" IS NOT NULL);
