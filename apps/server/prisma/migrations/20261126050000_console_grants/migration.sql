-- AlterTable
ALTER TABLE "Grant" ADD COLUMN     "browserSessionId" UUID;

-- CreateIndex
CREATE UNIQUE INDEX "Grant_browserSessionId_resources_key" ON "Grant"("browserSessionId", "resources") WHERE ("browserSessionId" IS NOT NULL);

-- AddForeignKey
ALTER TABLE "Grant" ADD CONSTRAINT "Grant_browserSessionId_fkey" FOREIGN KEY ("browserSessionId") REFERENCES "BrowserSession"("id") ON DELETE CASCADE ON UPDATE CASCADE;
