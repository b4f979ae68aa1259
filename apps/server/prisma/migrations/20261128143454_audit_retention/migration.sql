-- CreateTable
CREATE TABLE "AuditRetention" (
    "id" INTEGER NOT NULL,
    "calls" UUID NOT NULL,
    "changes" UUID NOT NULL,
    "announcedAt" TIMESTAMPTZ(3) NOT NULL,
    "signedBy" TEXT NOT NULL,
    "signature" TEXT NOT NULL,

    CONSTRAINT "AuditRetention_pkey" PRIMARY KEY ("id")
);
