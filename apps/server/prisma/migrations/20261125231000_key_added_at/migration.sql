-- The default comes after the column: keys that are there already were not added now.
ALTER TABLE "KeyCheck" ADD COLUMN     "addedAt" TIMESTAMPTZ(3);
ALTER TABLE "KeyCheck" ALTER COLUMN "addedAt" SET DEFAULT CURRENT_TIMESTAMP;
