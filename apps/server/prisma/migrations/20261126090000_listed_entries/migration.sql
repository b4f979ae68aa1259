-- CreateEnum
CREATE TYPE "ListedKind" AS ENUM ('prompt', 'resource', 'resource_template');

-- CreateTable
CREATE TABLE "ListedEntry" (
    "integrationId" UUID NOT NULL,
    "kind" "ListedKind" NOT NULL,
    "key" TEXT NOT NULL,
    "organizationId" UUID NOT NULL,
    "definition" TEXT,
    "listedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ListedEntry_pkey" PRIMARY KEY ("integrationId","kind","key")
);

-- AddForeignKey
ALTER TABLE "ListedEntry" ADD CONSTRAINT "ListedEntry_integrationId_fkey" FOREIGN KEY ("integrationId") REFERENCES "Integration"("id") ON DELETE CASCADE ON UPDATE CASCADE;
