-- CreateTable
CREATE TABLE "AuditVerification" (
    "id" INTEGER NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "result" TEXT,

    CONSTRAINT "AuditVerification_pkey" PRIMARY KEY ("id")
);
