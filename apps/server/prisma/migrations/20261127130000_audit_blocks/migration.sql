-- AlterTable
ALTER TABLE "AuditEvent" ADD COLUMN "blockNumber" INTEGER,
ADD COLUMN "blockRun" UUID,
ADD COLUMN "run" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
ALTER TABLE "AuditEvent" ALTER COLUMN "run" DROP DEFAULT;

-- CreateTable
CREATE TABLE "AuditBlock" (
    "run" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "node" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "previous" TEXT,
    "ends" BOOLEAN NOT NULL,
    "signedBy" TEXT NOT NULL,
    "witnesses" TEXT NOT NULL,
    "organizationId" UUID,
    "from" TIMESTAMPTZ(3) NOT NULL,
    "to" TIMESTAMPTZ(3) NOT NULL,
    "calls" INTEGER NOT NULL,
    "applications" UUID[],
    "integrations" UUID[],
    "people" UUID[],
    "managed" TEXT NOT NULL,
    "bodyHash" TEXT,
    "body" TEXT,
    "hash" TEXT NOT NULL,
    "signature" TEXT NOT NULL,

    CONSTRAINT "AuditBlock_pkey" PRIMARY KEY ("run","number")
);

-- CreateTable
CREATE TABLE "AuditKey" (
    "id" UUID NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "publicKey" TEXT NOT NULL,
    "signedBy" TEXT,
    "signature" TEXT,
    "sealed" BYTEA NOT NULL,
    "keyId" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "AuditKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditAnchor" (
    "run" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "signedBy" TEXT NOT NULL,
    "signature" TEXT NOT NULL,

    CONSTRAINT "AuditAnchor_pkey" PRIMARY KEY ("run")
);

-- CreateIndex
CREATE INDEX "AuditEvent_blockRun_blockNumber_idx" ON "AuditEvent"("blockRun", "blockNumber");

-- CreateIndex
CREATE INDEX "AuditEvent_id_loose_idx" ON "AuditEvent"("id") WHERE "blockNumber" IS NULL;

-- CreateIndex
CREATE UNIQUE INDEX "AuditBlock_id_key" ON "AuditBlock"("id");

-- CreateIndex
CREATE INDEX "AuditBlock_organizationId_id_idx" ON "AuditBlock"("organizationId", "id" DESC);

-- CreateIndex
CREATE INDEX "AuditBlock_id_body_idx" ON "AuditBlock"("id") WHERE "body" IS NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "AuditKey_fingerprint_key" ON "AuditKey"("fingerprint");

-- CreateIndex
CREATE INDEX "AuditKey_keyId_idx" ON "AuditKey"("keyId");
