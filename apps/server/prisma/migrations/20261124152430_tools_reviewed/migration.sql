-- AlterTable
ALTER TABLE "Integration" ADD COLUMN     "toolsReviewedAt" TIMESTAMPTZ(3);
