-- AlterTable
ALTER TABLE "Application" ADD COLUMN     "firstCallAt" TIMESTAMPTZ(3);

-- What is known of earlier sessions. Where all of them are pruned, some client did call after the application was made.
UPDATE "Application" p SET "firstCallAt" = coalesce((
    SELECT s."createdAt" FROM "Session" s
    WHERE s."applicationId" = p."id" AND NOT EXISTS (
      SELECT 1 FROM "Grant" g WHERE g."id" = s."tokenId" AND g."browserSessionId" IS NOT NULL)
    ORDER BY s."id" LIMIT 1
  ), CASE WHEN NOT EXISTS (SELECT 1 FROM "Session" s WHERE s."applicationId" = p."id") THEN p."createdAt" END)
WHERE p."totalSessionCount" > 0;

-- CreateIndex
CREATE INDEX "Integration_organizationId_id_invalid_idx" ON "Integration"("organizationId", "id" DESC) WHERE ("validationStatus" = 'invalid' AND "archivedAt" IS NULL);

-- CreateIndex
CREATE INDEX "Integration_organizationId_certificateExpiresAt_idx" ON "Integration"("organizationId", "certificateExpiresAt") WHERE ("certificateExpiresAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Integration_organizationId_toolsReviewedAt_idx" ON "Integration"("organizationId", "toolsReviewedAt") WHERE ("toolsReviewedAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "ToolDefinition_integrationId_name_approved_idx" ON "ToolDefinition"("integrationId", "name") WHERE ("approvedAt" IS NOT NULL);
