-- AlterTable
ALTER TABLE "AggregateSession" ADD COLUMN     "subscriptions" TEXT[] DEFAULT ARRAY[]::TEXT[];
