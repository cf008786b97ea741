import type { Dialect } from '../relational/statements.ts'
import { isUniqueBreach } from './errors.ts'

/** The SQL of SQLite. Lists are parameters as JSON. */
export const SQLITE: Dialect = {
  keepsTexts: false,
  // By default, SQLite would use the index of a release's history and scan the entire app. By id, a span costs
  // only its own entries, whatever the filter is.
  auditById: 'FROM audit NOT INDEXED',
  oneOf: (value, list) => `${value} IN (SELECT value FROM json_each(@${list}))`,
  rowsOf(list, members) {
    const columns = Object.keys(members).map((member) => `value ->> '${member}' AS "${member}"`)
    return `(SELECT ${columns.join(', ')} FROM json_each(@${list})) AS ${list}`
  },
  like: (text, pattern) => `${text} LIKE ${pattern} ESCAPE '\\'`,
  head: (text) => `substr(${text}, 1, instr(${text}, '.') - 1)`,
  bytewise: (text) => text,
  jsonOf(members, order) {
    const pairs = Object.entries(members).map(([member, sql]) => `'${member}', ${sql}`)
    return `json_group_array(json_object(${pairs.join(', ')}) ORDER BY ${order})`
  },
  parse: (json) => json,
  isUniqueBreach,
}
