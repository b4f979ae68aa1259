-- AlterTable
ALTER TABLE "Session" ADD COLUMN "aggregateSessionId" UUID;

-- CreateTable
CREATE TABLE "AggregateSession" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "applicationId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "tokenId" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "hello" TEXT NOT NULL,
    "logLevel" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "AggregateSession_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "AggregateSession_hash_key" ON "AggregateSession"("hash");

-- CreateIndex
CREATE INDEX "AggregateSession_userId_idx" ON "AggregateSession"("userId") WHERE ("endedAt" IS NULL);

-- CreateIndex
CREATE INDEX "Session_aggregateSessionId_attachmentId_refused_idx" ON "Session"("aggregateSessionId", "attachmentId") WHERE ("aggregateSessionId" IS NOT NULL AND "refusedUntil" IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "Session_aggregateSessionId_attachmentId_key" ON "Session"("aggregateSessionId", "attachmentId") WHERE ("state" = 'open' AND "aggregateSessionId" IS NOT NULL);

-- AddForeignKey
ALTER TABLE "AggregateSession" ADD CONSTRAINT "AggregateSession_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application"("id") ON DELETE CASCADE ON UPDATE CASCADE;
