-- AlterTable
ALTER TABLE "Application" ADD COLUMN     "callsPerMinute" INTEGER,
ADD COLUMN     "concurrentCalls" INTEGER;
