-- CreateTable
CREATE TABLE "UsageMinute" (
    "organizationId" UUID NOT NULL,
    "applicationId" UUID NOT NULL,
    "integrationId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "calls" INTEGER NOT NULL,
    "refusals" INTEGER NOT NULL,
    "errors" INTEGER NOT NULL,
    "upstreamErrors" INTEGER NOT NULL,
    "bytesIn" BIGINT NOT NULL,
    "bytesOut" BIGINT NOT NULL,
    "latency" INTEGER[],
    "lastErrorAt" TIMESTAMPTZ(3),

    CONSTRAINT "UsageMinute_pkey" PRIMARY KEY ("organizationId","at","applicationId","integrationId")
);

-- CreateTable
CREATE TABLE "UsageHour" (
    "organizationId" UUID NOT NULL,
    "applicationId" UUID NOT NULL,
    "integrationId" UUID NOT NULL,
    "tool" TEXT NOT NULL,
    "userId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "calls" INTEGER NOT NULL,
    "refusals" INTEGER NOT NULL,
    "errors" INTEGER NOT NULL,
    "upstreamErrors" INTEGER NOT NULL,
    "bytesIn" BIGINT NOT NULL,
    "bytesOut" BIGINT NOT NULL,
    "latency" INTEGER[],
    "lastErrorAt" TIMESTAMPTZ(3),
    "isInDay" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "UsageHour_pkey" PRIMARY KEY ("organizationId","applicationId","at","userId","integrationId","tool")
);

-- CreateTable
CREATE TABLE "UsageDay" (
    "organizationId" UUID NOT NULL,
    "applicationId" UUID NOT NULL,
    "integrationId" UUID NOT NULL,
    "tool" TEXT NOT NULL,
    "userId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "calls" INTEGER NOT NULL,
    "refusals" INTEGER NOT NULL,
    "errors" INTEGER NOT NULL,
    "upstreamErrors" INTEGER NOT NULL,
    "bytesIn" BIGINT NOT NULL,
    "bytesOut" BIGINT NOT NULL,
    "latency" INTEGER[],
    "lastErrorAt" TIMESTAMPTZ(3),

    CONSTRAINT "UsageDay_pkey" PRIMARY KEY ("organizationId","applicationId","at","userId","integrationId","tool")
);

-- CreateIndex
CREATE INDEX "UsageHour_organizationId_userId_at_idx" ON "UsageHour"("organizationId", "userId", "at");

-- CreateIndex
CREATE INDEX "UsageHour_at_left_idx" ON "UsageHour"("at") WHERE (NOT "isInDay");

-- CreateIndex
CREATE INDEX "UsageHour_at_taken_idx" ON "UsageHour"("at") WHERE ("isInDay");

-- CreateIndex
CREATE INDEX "UsageDay_organizationId_userId_at_idx" ON "UsageDay"("organizationId", "userId", "at");

-- CreateIndex
CREATE INDEX "UsageDay_at_idx" ON "UsageDay"("at");
