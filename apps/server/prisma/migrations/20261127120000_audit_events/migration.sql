-- CreateTable
CREATE TABLE "AuditEvent" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "actorId" UUID,
    "concerns" UUID[],
    "event" TEXT NOT NULL,

    CONSTRAINT "AuditEvent_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "AuditEvent_organizationId_id_idx" ON "AuditEvent"("organizationId", "id" DESC);

-- CreateIndex
CREATE INDEX "AuditEvent_concerns_idx" ON "AuditEvent" USING GIN ("concerns");
