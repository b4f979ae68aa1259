-- CreateTable
CREATE TABLE "ForwardedAnswer" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "aggregateSessionId" UUID NOT NULL,
    "sealed" BYTEA NOT NULL,
    "keyId" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ForwardedAnswer_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ForwardedAnswer_aggregateSessionId_idx" ON "ForwardedAnswer"("aggregateSessionId");

-- CreateIndex
CREATE INDEX "ForwardedAnswer_keyId_idx" ON "ForwardedAnswer"("keyId");

-- CreateIndex
CREATE INDEX "ForwardedAnswer_expiresAt_idx" ON "ForwardedAnswer"("expiresAt");

-- AddForeignKey
ALTER TABLE "ForwardedAnswer" ADD CONSTRAINT "ForwardedAnswer_aggregateSessionId_fkey" FOREIGN KEY ("aggregateSessionId") REFERENCES "AggregateSession"("id") ON DELETE CASCADE ON UPDATE CASCADE;
