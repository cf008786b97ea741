import { expect, test } from 'vitest'
import {
  databaseUrlProblem,
  hasPassword,
  locationOf,
} from '../../../../src/server/storage/interface/database-url.ts'

test.each([
  ['postgres://tide@db.example.com/tidegate', undefined],
  ['postgresql://tide:p%23w@127.0.0.1:5433/tidegate?sslmode=verify-full', undefined],
  ['postgres://tide@/tidegate?host=/run/postgresql', undefined],
  ['postgres://%2Frun%2Fpostgresql/tidegate', undefined],
  ['mysql://db.example.com/tidegate', 'scheme'],
  ['tidegate.db', 'scheme'],
  ['postgres://tide:p#w@db.example.com/tidegate', 'address'],
  ['postgres://db.example.com:port/tidegate', 'address'],
  ['postgres:///tidegate', 'place'],
  ['postgres://tide@/tidegate', 'place'],
  ['postgres://db.example.com', 'name'],
  ['postgres://db.example.com/', 'name'],
  ['postgres://db.example.com/tidegate?sslmode=on', 'tls'],
])('what is wrong with %s is %s', (url, problem) => {
  expect(databaseUrlProblem(url)).toBe(problem)
})

test.each([
  [
    'postgres://tide:hunter2@db.example.com:5433/tidegate?sslmode=disable',
    'postgres://db.example.com:5433/tidegate',
  ],
  [
    'postgres://db.example.com/tidegate?user=tide&password=hunter2',
    'postgres://db.example.com/tidegate',
  ],
  [
    'postgres://tide:hunter2@/tidegate?host=/run/postgresql',
    'postgres://%2Frun%2Fpostgresql/tidegate',
  ],
  ['postgres://tide:hun#ter2@db.example.com/tidegate', 'postgres://'],
])('people see %s without its secrets', (url, shown) => {
  expect(locationOf(url)).toBe(shown)
  expect(hasPassword(url)).toBe(true)
})
