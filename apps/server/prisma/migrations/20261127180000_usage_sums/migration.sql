-- CreateIndex
CREATE INDEX "UsageHour_sums_idx" ON "UsageHour"("organizationId", "at") WHERE ("applicationId" = '00000000-0000-0000-0000-000000000000'::uuid);

-- CreateIndex
CREATE INDEX "UsageDay_sums_idx" ON "UsageDay"("organizationId", "at") WHERE ("applicationId" = '00000000-0000-0000-0000-000000000000'::uuid);
