-- DropIndex
DROP INDEX "Session_endedAt_idx";

-- DropIndex
DROP INDEX "Session_lastActivityAt_expired_idx";

-- DropIndex
DROP INDEX "Session_lastActivityAt_open_idx";
