import type { PGlite } from '@electric-sql/pglite';
import type { Pool } from 'pg';
import pg from 'pg';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Announcer, Change } from '../changes/changes.ts';
import { toDatabaseUnavailable } from './database-failure.ts';

/** One statement written by hand. */
export interface Statement {
  /** The plan is cached for each connection and name, so the text must not depend on the values. */
  readonly name: string;
  /** It has values, and all of them are strings. */
  readonly sql: Prisma.Sql;
}

/** Makes a statement that sends these notifications. */
export type MakeStatement = (notifications: readonly string[]) => Statement;

/** Runs a statement as one transaction, bypassing Prisma. */
export type RunStatement = (statement: Statement) => Promise<readonly unknown[]>;

export function postgresqlStatements(pool: Pool): RunStatement {
  return async ({ name, sql }) => {
    const { rows } = await pool.query({ name, text: sql.text, values: [...sql.values] });
    return rows as unknown[];
  };
}

/** PGlite plans its own queries every time, which takes longer than a short statement. */
export function pgliteStatements(database: PGlite): RunStatement {
  const prepared = new Map<string, Promise<unknown>>();
  const prepare = ({ name, sql }: Statement): Promise<unknown> => {
    const done = database.exec(`PREPARE "${name}" AS ${sql.text}`);
    done.catch(() => prepared.delete(name));
    prepared.set(name, done);
    return done;
  };
  return async (statement) => {
    const { name, sql } = statement;
    await (prepared.get(name) ?? prepare(statement));
    const values = sql.values.map((value) => pg.escapeLiteral(String(value)));
    return (await database.query(`EXECUTE "${name}"(${values.join()})`)).rows;
  };
}

/** Implements `Store.statement`. */
export async function runStatement(
  run: RunStatement,
  announcer: Announcer,
  changes: readonly Change[],
  make: MakeStatement,
): Promise<readonly unknown[]> {
  const { notifications, committed, abandoned } = announcer.prepare(changes);
  const rows = await run(make(notifications)).catch((error: unknown) => {
    abandoned();
    throw toDatabaseUnavailable(error) ?? error;
  });
  committed();
  return rows;
}
