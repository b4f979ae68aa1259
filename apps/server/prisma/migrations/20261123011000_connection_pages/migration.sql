-- DropIndex
DROP INDEX "Connection_userId_idx";

-- CreateIndex
CREATE INDEX "Connection_userId_id_idx" ON "Connection"("userId", "id" DESC);
