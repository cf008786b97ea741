import { SqliteEngine } from './sqlite-engine.ts'
export class PostgresEngine extends SqliteEngine {}
