-- CreateTable
CREATE TABLE "DynamicClient" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "redirectUris" TEXT[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "DynamicClient_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "DynamicClient_lastUsedAt_idx" ON "DynamicClient"("lastUsedAt");

-- CreateIndex
CREATE INDEX "Application_dynamic_clients_idx" ON "Application"("id") WHERE ("allowDynamicClients" AND "archivedAt" IS NULL);
