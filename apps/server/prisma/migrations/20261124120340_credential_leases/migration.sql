-- CreateTable
CREATE TABLE "CredentialLease" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "applicationId" UUID NOT NULL,
    "integrationId" UUID NOT NULL,
    "attachmentId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "tokenId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),
    "refusedUntil" TIMESTAMPTZ(3),

    CONSTRAINT "CredentialLease_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "CredentialLease_applicationId_id_idx" ON "CredentialLease"("applicationId", "id" DESC);

-- CreateIndex
CREATE INDEX "CredentialLease_applicationId_expiresAt_idx" ON "CredentialLease"("applicationId", "expiresAt");

-- CreateIndex
CREATE INDEX "CredentialLease_integrationId_expiresAt_idx" ON "CredentialLease"("integrationId", "expiresAt");

-- CreateIndex
CREATE INDEX "CredentialLease_userId_expiresAt_idx" ON "CredentialLease"("userId", "expiresAt");

-- CreateIndex
CREATE INDEX "CredentialLease_tokenId_expiresAt_idx" ON "CredentialLease"("tokenId", "expiresAt");

-- CreateIndex
CREATE INDEX "CredentialLease_tokenId_attachmentId_idx" ON "CredentialLease"("tokenId", "attachmentId") WHERE ("refusedUntil" IS NOT NULL);

-- CreateIndex
CREATE INDEX "CredentialLease_expiresAt_idx" ON "CredentialLease"("expiresAt");

-- AddForeignKey
ALTER TABLE "CredentialLease" ADD CONSTRAINT "CredentialLease_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application"("id") ON DELETE CASCADE ON UPDATE CASCADE;
