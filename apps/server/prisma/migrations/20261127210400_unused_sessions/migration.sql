-- AlterTable
ALTER TABLE "Session" ADD COLUMN "isUnused" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "Session_lastActivityAt_unused_idx" ON "Session"("lastActivityAt") WHERE ("state" = 'open' AND "isUnused");
