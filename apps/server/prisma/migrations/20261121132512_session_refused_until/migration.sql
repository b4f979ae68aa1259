-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "refusedUntil" TIMESTAMPTZ(3);
