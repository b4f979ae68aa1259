-- AlterTable
ALTER TABLE "Attachment" ADD COLUMN "alias" TEXT NOT NULL DEFAULT "left"(replace((gen_random_uuid())::text, '-'::text, ''::text), 16);

-- As `aliasFor` makes them, in the order of attaching.
DO $$
DECLARE
  attachment record;
  application uuid;
  taken text[];
  base text;
  made text;
  number int;
BEGIN
  FOR attachment IN
    SELECT a."id", a."applicationId", i."name"
    FROM "Attachment" a JOIN "Integration" i ON i."id" = a."integrationId"
    ORDER BY a."applicationId", a."id"
  LOOP
    IF attachment."applicationId" IS DISTINCT FROM application THEN
      application := attachment."applicationId";
      taken := ARRAY['gatehouse'];
    END IF;
    base := lower(regexp_replace(normalize(attachment."name", NFKD), '[\u0300-\u036f]+', '', 'g'));
    base := regexp_replace(regexp_replace(base, '[^a-z0-9]+', '-', 'g'), '^-', '');
    base := COALESCE(NULLIF(regexp_replace(left(base, 16), '-$', ''), ''), 'integration');
    made := base;
    number := 1;
    WHILE made = ANY(taken) LOOP
      number := number + 1;
      made := regexp_replace(left(base, 15 - length(number::text)), '-$', '') || '-' || number;
    END LOOP;
    taken := taken || made;
    UPDATE "Attachment" a SET "alias" = made WHERE a."id" = attachment."id";
  END LOOP;
END $$;

-- CreateIndex
CREATE UNIQUE INDEX "Attachment_applicationId_alias_key" ON "Attachment"("applicationId", "alias");

-- CreateEnum
CREATE TYPE "AggregateMode" AS ENUM ('list', 'search', 'off');

-- AlterTable
ALTER TABLE "Application" ADD COLUMN "aggregateMode" "AggregateMode" NOT NULL DEFAULT 'list',
ADD COLUMN "aggregateNameLength" INTEGER NOT NULL DEFAULT 64;
