-- CreateEnum
CREATE TYPE "Role" AS ENUM ('owner', 'admin', 'member');

-- CreateEnum
CREATE TYPE "TokenKind" AS ENUM ('personal', 'invitation');

-- CreateEnum
CREATE TYPE "Category" AS ENUM ('gateway_remote_mcp', 'internal_mcp_credentials');

-- CreateEnum
CREATE TYPE "AuthMode" AS ENUM ('oauth', 'user_token', 'server_token', 'none');

-- CreateEnum
CREATE TYPE "ValidationStatus" AS ENUM ('pending', 'valid', 'invalid');

-- CreateEnum
CREATE TYPE "SecretKind" AS ENUM ('server_token', 'oauth_client_secret', 'oauth_token_params');

-- CreateEnum
CREATE TYPE "ConnectionMode" AS ENUM ('user_token', 'oauth');

-- CreateEnum
CREATE TYPE "ConnectionReason" AS ENUM ('rejected_upstream', 'expired');

-- CreateEnum
CREATE TYPE "ClientType" AS ENUM ('public', 'confidential');

-- CreateEnum
CREATE TYPE "SessionEra" AS ENUM ('legacy', 'modern');

-- CreateEnum
CREATE TYPE "SessionState" AS ENUM ('open', 'closed', 'expired', 'revoked');

-- CreateTable
CREATE TABLE "Organization" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Organization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "User" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" "Role" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Token" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "kind" "TokenKind" NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "lastUsedAt" TIMESTAMPTZ(3),
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Integration" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "category" "Category" NOT NULL,
    "authMode" "AuthMode" NOT NULL,
    "oauth" JSONB,
    "capabilities" JSONB,
    "credentialSchema" JSONB,
    "validationStatus" "ValidationStatus" NOT NULL DEFAULT 'pending',
    "validationMessage" TEXT,
    "lastValidatedAt" TIMESTAMPTZ(3),
    "validationEpoch" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 1,
    "archivedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Integration_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IntegrationSecret" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "integrationId" UUID NOT NULL,
    "kind" "SecretKind" NOT NULL,
    "destination" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "keyId" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "IntegrationSecret_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Connection" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "integrationId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "mode" "ConnectionMode" NOT NULL,
    "destination" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "keyId" TEXT NOT NULL,
    "reason" "ConnectionReason",
    "displayName" TEXT,
    "expiresAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Connection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Application" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "ownerUserId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "clientType" "ClientType" NOT NULL,
    "redirectUris" TEXT[],
    "pkceRequired" BOOLEAN NOT NULL DEFAULT true,
    "scopes" TEXT[],
    "allowedResources" TEXT[],
    "secretHash" BYTEA,
    "totalSessionCount" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 1,
    "archivedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Application_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Attachment" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "applicationId" UUID NOT NULL,
    "integrationId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Attachment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Session" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "applicationId" UUID NOT NULL,
    "integrationId" UUID NOT NULL,
    "attachmentId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "tokenId" UUID NOT NULL,
    "era" "SessionEra" NOT NULL,
    "state" "SessionState" NOT NULL DEFAULT 'open',
    "hash" BYTEA,
    "sealed" BYTEA,
    "keyId" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastActivityAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SessionPresence" (
    "sessionId" UUID NOT NULL,
    "nodeId" UUID NOT NULL,
    "applicationId" UUID NOT NULL,
    "leaseUntil" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SessionPresence_pkey" PRIMARY KEY ("sessionId","nodeId")
);

-- CreateTable
CREATE TABLE "IdempotencyKey" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "operation" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "bodyHash" BYTEA NOT NULL,
    "status" INTEGER,
    "sealed" BYTEA,
    "keyId" TEXT,
    "secretOf" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "IdempotencyKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "KeyCheck" (
    "keyId" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,

    CONSTRAINT "KeyCheck_pkey" PRIMARY KEY ("keyId")
);

-- CreateIndex
CREATE INDEX "User_organizationId_id_idx" ON "User"("organizationId", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "User_organizationId_email_key" ON "User"("organizationId", "email");

-- CreateIndex
CREATE UNIQUE INDEX "Token_hash_key" ON "Token"("hash");

-- CreateIndex
CREATE INDEX "Token_userId_id_idx" ON "Token"("userId", "id" DESC);

-- CreateIndex
CREATE INDEX "Integration_organizationId_id_idx" ON "Integration"("organizationId", "id" DESC);

-- CreateIndex
CREATE INDEX "Integration_organizationId_id_active_idx" ON "Integration"("organizationId", "id" DESC) WHERE ("archivedAt" IS NULL);

-- CreateIndex
-- The name filter works without this index, by reading the organization's integrations. Where the role may
-- not create the (trusted) extensions, or they are not installed, an administrator may run all three later.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE EXTENSION IF NOT EXISTS btree_gin;
  CREATE INDEX "Integration_organizationId_name_trgm_idx" ON "Integration" USING GIN ("organizationId" uuid_ops, "name" gin_trgm_ops);
EXCEPTION
  WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object THEN
    RAISE NOTICE 'No trigram index for the integration name filter: %', SQLERRM;
END
$$;

-- CreateIndex
CREATE INDEX "IntegrationSecret_keyId_idx" ON "IntegrationSecret"("keyId");

-- CreateIndex
CREATE UNIQUE INDEX "IntegrationSecret_integrationId_kind_key" ON "IntegrationSecret"("integrationId", "kind");

-- CreateIndex
CREATE INDEX "Connection_userId_idx" ON "Connection"("userId");

-- CreateIndex
CREATE INDEX "Connection_keyId_idx" ON "Connection"("keyId");

-- CreateIndex
CREATE UNIQUE INDEX "Connection_integrationId_userId_key" ON "Connection"("integrationId", "userId");

-- CreateIndex
CREATE INDEX "Application_organizationId_id_idx" ON "Application"("organizationId", "id" DESC);

-- CreateIndex
CREATE INDEX "Application_organizationId_id_active_idx" ON "Application"("organizationId", "id" DESC) WHERE ("archivedAt" IS NULL);

-- CreateIndex
CREATE INDEX "Application_ownerUserId_id_idx" ON "Application"("ownerUserId", "id" DESC);

-- CreateIndex
CREATE INDEX "Application_ownerUserId_id_active_idx" ON "Application"("ownerUserId", "id" DESC) WHERE ("archivedAt" IS NULL);

-- CreateIndex
CREATE INDEX "Attachment_integrationId_idx" ON "Attachment"("integrationId");

-- CreateIndex
CREATE INDEX "Attachment_organizationId_id_idx" ON "Attachment"("organizationId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Attachment_applicationId_integrationId_key" ON "Attachment"("applicationId", "integrationId");

-- CreateIndex
CREATE UNIQUE INDEX "Session_hash_key" ON "Session"("hash");

-- CreateIndex
CREATE INDEX "Session_applicationId_id_idx" ON "Session"("applicationId", "id" DESC);

-- CreateIndex
CREATE INDEX "Session_applicationId_state_lastActivityAt_idx" ON "Session"("applicationId", "state", "lastActivityAt");

-- CreateIndex
CREATE INDEX "Session_lastActivityAt_open_idx" ON "Session"("lastActivityAt") WHERE ("state" = 'open'::"SessionState");

-- CreateIndex
CREATE INDEX "Session_integrationId_state_idx" ON "Session"("integrationId", "state");

-- CreateIndex
CREATE INDEX "Session_userId_state_idx" ON "Session"("userId", "state");

-- CreateIndex
CREATE INDEX "Session_tokenId_attachmentId_era_state_id_idx" ON "Session"("tokenId", "attachmentId", "era", "state", "id" DESC);

-- CreateIndex
CREATE INDEX "Session_keyId_idx" ON "Session"("keyId");

-- CreateIndex
CREATE INDEX "SessionPresence_applicationId_leaseUntil_idx" ON "SessionPresence"("applicationId", "leaseUntil");

-- CreateIndex
CREATE INDEX "SessionPresence_nodeId_idx" ON "SessionPresence"("nodeId");

-- CreateIndex
CREATE INDEX "SessionPresence_leaseUntil_idx" ON "SessionPresence"("leaseUntil");

-- CreateIndex
CREATE INDEX "IdempotencyKey_createdAt_idx" ON "IdempotencyKey"("createdAt");

-- CreateIndex
CREATE INDEX "IdempotencyKey_secretOf_idx" ON "IdempotencyKey"("secretOf");

-- CreateIndex
CREATE INDEX "IdempotencyKey_keyId_idx" ON "IdempotencyKey"("keyId");

-- CreateIndex
CREATE UNIQUE INDEX "IdempotencyKey_userId_operation_key_key" ON "IdempotencyKey"("userId", "operation", "key");

-- AddForeignKey
ALTER TABLE "User" ADD CONSTRAINT "User_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Token" ADD CONSTRAINT "Token_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "IntegrationSecret" ADD CONSTRAINT "IntegrationSecret_integrationId_fkey" FOREIGN KEY ("integrationId") REFERENCES "Integration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Connection" ADD CONSTRAINT "Connection_integrationId_fkey" FOREIGN KEY ("integrationId") REFERENCES "Integration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Connection" ADD CONSTRAINT "Connection_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Attachment" ADD CONSTRAINT "Attachment_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Attachment" ADD CONSTRAINT "Attachment_integrationId_fkey" FOREIGN KEY ("integrationId") REFERENCES "Integration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SessionPresence" ADD CONSTRAINT "SessionPresence_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "Session"("id") ON DELETE CASCADE ON UPDATE CASCADE;
