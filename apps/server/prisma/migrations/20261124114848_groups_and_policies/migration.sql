-- CreateTable
CREATE TABLE "Group" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "nameKey" TEXT NOT NULL,
    "externalId" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Group_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "GroupMember" (
    "groupId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "GroupMember_pkey" PRIMARY KEY ("groupId","userId")
);

-- CreateTable
CREATE TABLE "AttachmentPolicy" (
    "attachmentId" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "rules" JSONB NOT NULL,
    "groupIds" UUID[],

    CONSTRAINT "AttachmentPolicy_pkey" PRIMARY KEY ("attachmentId")
);

-- CreateTable
CREATE TABLE "IntegrationPolicy" (
    "integrationId" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "rules" JSONB NOT NULL,
    "groupIds" UUID[],

    CONSTRAINT "IntegrationPolicy_pkey" PRIMARY KEY ("integrationId")
);

-- CreateIndex
CREATE INDEX "Group_organizationId_id_idx" ON "Group"("organizationId", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "Group_organizationId_nameKey_key" ON "Group"("organizationId", "nameKey");

-- CreateIndex
CREATE UNIQUE INDEX "Group_organizationId_externalId_key" ON "Group"("organizationId", "externalId");

-- CreateIndex
CREATE INDEX "GroupMember_userId_idx" ON "GroupMember"("userId");

-- CreateIndex
CREATE INDEX "AttachmentPolicy_groupIds_idx" ON "AttachmentPolicy" USING GIN ("groupIds");

-- CreateIndex
CREATE INDEX "IntegrationPolicy_groupIds_idx" ON "IntegrationPolicy" USING GIN ("groupIds");

-- AddForeignKey
ALTER TABLE "GroupMember" ADD CONSTRAINT "GroupMember_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GroupMember" ADD CONSTRAINT "GroupMember_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AttachmentPolicy" ADD CONSTRAINT "AttachmentPolicy_attachmentId_fkey" FOREIGN KEY ("attachmentId") REFERENCES "Attachment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "IntegrationPolicy" ADD CONSTRAINT "IntegrationPolicy_integrationId_fkey" FOREIGN KEY ("integrationId") REFERENCES "Integration"("id") ON DELETE CASCADE ON UPDATE CASCADE;
