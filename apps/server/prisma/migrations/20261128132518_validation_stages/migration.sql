-- AlterTable
ALTER TABLE "Integration" ADD COLUMN     "validationStages" JSONB;
