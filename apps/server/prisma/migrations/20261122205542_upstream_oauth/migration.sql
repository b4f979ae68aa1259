-- CreateEnum
CREATE TYPE "RefreshFailure" AS ENUM ('transient', 'misconfigured');

-- CreateEnum
CREATE TYPE "RevocationStatus" AS ENUM ('pending', 'revoked', 'failed', 'not_supported');

-- AlterEnum
ALTER TYPE "ConnectionReason" ADD VALUE 'needs_reauth';

-- AlterTable
ALTER TABLE "Connection" ADD COLUMN     "failedRefreshes" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "leaseOwner" UUID,
ADD COLUMN     "leaseUntil" TIMESTAMPTZ(3),
ADD COLUMN     "refreshFailure" "RefreshFailure",
ADD COLUMN     "refreshedAt" TIMESTAMPTZ(3),
ADD COLUMN     "retryAt" TIMESTAMPTZ(3),
ADD COLUMN     "tokenVersion" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "Integration" ADD COLUMN     "failedValidations" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "nextValidationAt" TIMESTAMPTZ(3),
ADD COLUMN     "validateEveryMinutes" INTEGER;

-- CreateTable
CREATE TABLE "UpstreamRegistration" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "integrationId" UUID NOT NULL,
    "issuer" TEXT NOT NULL,
    "redirectUri" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "keyId" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),

    CONSTRAINT "UpstreamRegistration_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ConnectLink" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "integrationId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "returnTo" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ConnectLink_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ConnectAttempt" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "integrationId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "stateHash" BYTEA NOT NULL,
    "browserHash" BYTEA NOT NULL,
    "validationEpoch" INTEGER NOT NULL,
    "payload" JSONB NOT NULL,
    "returnTo" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ConnectAttempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "UpstreamRevocation" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "integrationId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "destination" TEXT NOT NULL,
    "status" "RevocationStatus" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "sealed" BYTEA,
    "keyId" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "nextAttemptAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "UpstreamRevocation_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "UpstreamRegistration_keyId_idx" ON "UpstreamRegistration"("keyId");

-- CreateIndex
CREATE UNIQUE INDEX "UpstreamRegistration_integrationId_issuer_redirectUri_key" ON "UpstreamRegistration"("integrationId", "issuer", "redirectUri");

-- CreateIndex
CREATE UNIQUE INDEX "ConnectLink_hash_key" ON "ConnectLink"("hash");

-- CreateIndex
CREATE INDEX "ConnectLink_userId_idx" ON "ConnectLink"("userId");

-- CreateIndex
CREATE INDEX "ConnectLink_integrationId_idx" ON "ConnectLink"("integrationId");

-- CreateIndex
CREATE INDEX "ConnectLink_expiresAt_idx" ON "ConnectLink"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "ConnectAttempt_stateHash_key" ON "ConnectAttempt"("stateHash");

-- CreateIndex
CREATE INDEX "ConnectAttempt_userId_idx" ON "ConnectAttempt"("userId");

-- CreateIndex
CREATE INDEX "ConnectAttempt_integrationId_idx" ON "ConnectAttempt"("integrationId");

-- CreateIndex
CREATE INDEX "ConnectAttempt_expiresAt_idx" ON "ConnectAttempt"("expiresAt");

-- CreateIndex
CREATE INDEX "UpstreamRevocation_integrationId_userId_id_idx" ON "UpstreamRevocation"("integrationId", "userId", "id" DESC);

-- CreateIndex
CREATE INDEX "UpstreamRevocation_nextAttemptAt_idx" ON "UpstreamRevocation"("nextAttemptAt") WHERE ("nextAttemptAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "UpstreamRevocation_finishedAt_idx" ON "UpstreamRevocation"("finishedAt") WHERE ("finishedAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "UpstreamRevocation_keyId_idx" ON "UpstreamRevocation"("keyId") WHERE ("keyId" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Connection_refreshedAt_idx" ON "Connection"("refreshedAt") WHERE ("refreshedAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Integration_nextValidationAt_idx" ON "Integration"("nextValidationAt") WHERE ("nextValidationAt" IS NOT NULL);

-- AddForeignKey
ALTER TABLE "UpstreamRegistration" ADD CONSTRAINT "UpstreamRegistration_integrationId_fkey" FOREIGN KEY ("integrationId") REFERENCES "Integration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ConnectLink" ADD CONSTRAINT "ConnectLink_integrationId_fkey" FOREIGN KEY ("integrationId") REFERENCES "Integration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ConnectLink" ADD CONSTRAINT "ConnectLink_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ConnectAttempt" ADD CONSTRAINT "ConnectAttempt_integrationId_fkey" FOREIGN KEY ("integrationId") REFERENCES "Integration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ConnectAttempt" ADD CONSTRAINT "ConnectAttempt_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
