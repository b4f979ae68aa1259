-- CreateIndex
CREATE INDEX "CredentialLease_organizationId_id_idx" ON "CredentialLease"("organizationId", "id" DESC);

-- CreateIndex
CREATE INDEX "CredentialLease_userId_id_idx" ON "CredentialLease"("userId", "id" DESC);

-- CreateIndex
CREATE INDEX "Session_organizationId_id_idx" ON "Session"("organizationId", "id" DESC);

-- CreateIndex
CREATE INDEX "Session_userId_id_idx" ON "Session"("userId", "id" DESC);

-- CreateIndex
CREATE INDEX "Session_organizationId_id_open_idx" ON "Session"("organizationId", "id" DESC) WHERE ("state" = 'open');

-- The policies with rules that name a member. An index of an expression, which a schema cannot say: a column would be
-- missing from the rows that nodes of the previous version write.
CREATE INDEX "AttachmentPolicy_userIds_idx" ON "AttachmentPolicy"
  USING GIN (jsonb_path_query_array("rules", '$.**.userIds[*]') jsonb_path_ops);

CREATE INDEX "IntegrationPolicy_userIds_idx" ON "IntegrationPolicy"
  USING GIN (jsonb_path_query_array("rules", '$.**.userIds[*]') jsonb_path_ops);
