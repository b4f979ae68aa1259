-- CreateTable
CREATE TABLE "CallBudget" (
    "id" TEXT NOT NULL,
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "used" INTEGER NOT NULL,
    "taken" INTEGER NOT NULL,

    CONSTRAINT "CallBudget_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CallSlot" (
    "id" TEXT NOT NULL,
    "leases" JSONB NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "CallSlot_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "CallBudget_minute_idx" ON "CallBudget"("minute");

-- CreateIndex
CREATE INDEX "CallSlot_until_idx" ON "CallSlot"("until");
