-- AlterTable
ALTER TABLE "KeyCheck" ADD COLUMN     "retiredAt" TIMESTAMPTZ(3),
ADD COLUMN     "sealedAt" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "Node" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "keyIds" TEXT[],
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "leaseUntil" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Node_pkey" PRIMARY KEY ("id")
);

-- A key that is known already has sealed, as far as can be told.
UPDATE "KeyCheck" SET "sealedAt" = now();
