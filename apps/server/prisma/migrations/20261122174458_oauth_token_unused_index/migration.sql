-- DropIndex
DROP INDEX "OauthToken_expiresAt_idx";

-- CreateIndex
CREATE INDEX "OauthToken_expiresAt_unused_idx" ON "OauthToken"("expiresAt") WHERE ("consumedAt" IS NULL);
