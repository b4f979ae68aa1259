-- AlterTable
ALTER TABLE "AuditBlock" ADD COLUMN "ended" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[];
ALTER TABLE "AuditBlock" ALTER COLUMN "ended" DROP DEFAULT;

-- CreateIndex
CREATE INDEX "AuditBlock_ended_idx" ON "AuditBlock" USING GIN ("ended") WHERE "ended" <> '{}';
