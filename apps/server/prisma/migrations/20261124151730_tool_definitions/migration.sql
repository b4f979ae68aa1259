-- CreateTable
CREATE TABLE "ToolDefinition" (
    "integrationId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "schemaFingerprint" TEXT NOT NULL,
    "organizationId" UUID NOT NULL,
    "definition" TEXT,
    "readOnly" BOOLEAN NOT NULL,
    "firstSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "approvedAt" TIMESTAMPTZ(3),
    "approvedBy" UUID,

    CONSTRAINT "ToolDefinition_pkey" PRIMARY KEY ("integrationId","name","fingerprint")
);

-- AddForeignKey
ALTER TABLE "ToolDefinition" ADD CONSTRAINT "ToolDefinition_integrationId_fkey" FOREIGN KEY ("integrationId") REFERENCES "Integration"("id") ON DELETE CASCADE ON UPDATE CASCADE;
