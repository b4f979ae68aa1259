-- AlterTable
ALTER TABLE "Integration" ADD COLUMN     "certificateExpiresAt" TIMESTAMPTZ(3);
