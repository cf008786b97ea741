import { registerHooks } from 'node:module'

// Loaded ahead of the program: a later version of it, with one more migration of the database.

/** The migration: `adds` can be used by the version before, `breaks` cannot. */
const { TIDEGATE_TEST_MIGRATION: kind } = process.env

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith('/storage/postgres/migrations/index.ts')) return loaded
    const source = String(loaded.source)
    const sql = 'ALTER TABLE devices ADD COLUMN later text; CREATE TABLE later (id bigint)'
    const readable = kind === 'adds' ? 'MIGRATIONS.length' : 'MIGRATIONS.length + 1'
    const migration = `{
      number: MIGRATIONS.length + 1, name: 'later', readableFrom: ${readable}, sql: ${JSON.stringify(sql)}
    }`
    const later = source.replace(
      /const MIGRATIONS[^=]*= [^\]]*\]\)\n/,
      `$&MIGRATIONS.push(${migration})\n`,
    )
    if (later === source) throw new Error('the migrations were not found')
    return { ...loaded, source: later }
  },
})
