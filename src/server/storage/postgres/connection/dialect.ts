import type { Dialect } from '../../relational/statements.ts'
import { isUniqueBreach } from './errors.ts'
import { jsonFromStored } from './text.ts'

/** The SQL of PostgreSQL. Lists are parameters as arrays. */
export const POSTGRES: Dialect = {
  keepsTexts: true,
  auditById: 'FROM audit',
  oneOf: (value, list, type) => `${value} = ANY (@${list}::${type}[])`,
  rowsOf(list, members) {
    const arrays = Object.entries(members).map(([member, type]) => `@${list}.${member}::${type}[]`)
    const columns = Object.keys(members).map((member) => `"${member}"`)
    return `unnest(${arrays.join(', ')}) AS ${list} (${columns.join(', ')})`
  },
  // Under "C", only the letters of ASCII have two cases.
  like: (text, pattern) => `${text} COLLATE "C" ILIKE ${pattern}`,
  head: (text) => `split_part(${text}, '.', 1)`,
  bytewise: (text) => `${text} COLLATE "C"`,
  jsonOf(members, order) {
    const pairs = Object.entries(members).map(([member, sql]) => `'${member}', ${sql}`)
    return `coalesce(json_agg(json_build_object(${pairs.join(', ')}) ORDER BY ${order}), '[]')`
  },
  parse: jsonFromStored,
  isUniqueBreach,
}
