-- AlterTable
ALTER TABLE "IdempotencyKey" DROP COLUMN "status";

-- Sessions that have ended: nobody asks for the upstream's session id again, and the key that sealed it may retire.
UPDATE "Session" SET "sealed" = NULL, "keyId" = NULL WHERE "state" <> 'open' AND "keyId" IS NOT NULL;

-- CreateIndex
CREATE INDEX "Session_endedAt_idx" ON "Session"("endedAt") WHERE ("endedAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Session_lastActivityAt_expired_idx" ON "Session"("lastActivityAt") WHERE ("state" = 'expired');

-- CreateIndex
CREATE INDEX "Token_expiresAt_idx" ON "Token"("expiresAt") WHERE ("expiresAt" IS NOT NULL);
