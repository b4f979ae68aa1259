-- AlterTable
ALTER TABLE "Integration" ADD COLUMN     "spokenEras" JSONB;
