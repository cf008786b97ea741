import { Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { namesOf } from '../../shared/basics/map-each.ts'
import { formatCount, formatList } from '../../shared/wording/format.ts'
import { server } from '../bridge/clients.ts'
import { Panel } from '../components/blocks.tsx'
import { Loaded } from '../components/loading/loading.tsx'
import { Small } from '../components/text/words.tsx'
import { NUMBERS, type NumberText } from './number-strings.ts'
import classes from './settings.module.css'
import { text } from './strings.ts'

/** The settings with which the server was started, for administrators in a browser. */
export function SettingsInUseSection() {
  const query = useQuery(server.status.settings.queryOptions())
  return (
    <Panel title={text.inUse.title}>
      <Loaded query={query}>
        {({ host, console, trustProxy, hosting, ...groups }) => (
          <Stack gap="lg">
            <dl className={classes.facts}>
              <dt>{text.reach}</dt>
              <dd>{host}</dd>
              <dt>{text.inUse.console}</dt>
              <dd>{text.inUse.consoleModes[console]}</dd>
              <dt>{text.proxies}</dt>
              <dd>{trustProxy.length === 0 ? text.noProxies : formatList(trustProxy)}</dd>
              <dt>{NUMBERS.connections.maxConnections.label}</dt>
              <dd>{formatCount(groups.connections.maxConnections)}</dd>
            </dl>
            <Numbers title={text.limits} fields={NUMBERS.limits} values={groups.limits} />
            <Numbers title={text.budgets} fields={NUMBERS.budgets} values={groups.budgets} />
            <Numbers
              title={text.data}
              fields={{ ...NUMBERS.retention, ...NUMBERS.backups }}
              values={{ ...groups.retention, ...groups.backups }}
            />
            {hosting !== null && (
              <Numbers title={text.fileStorage} fields={NUMBERS.hosting} values={hosting} />
            )}
          </Stack>
        )}
      </Loaded>
    </Panel>
  )
}

interface Props<Name extends string> {
  readonly title: string
  readonly fields: Readonly<Record<Name, NumberText>>
  readonly values: Readonly<Record<Name, number>>
}

function Numbers<Name extends string>({ title, fields, values }: Props<Name>) {
  return (
    <div>
      <Title order={3} mb="xs">
        {title}
      </Title>
      <dl className={classes.numbers}>
        {namesOf(fields).map((name) => {
          const { label, description, unit, zero } = fields[name]
          const count = formatCount(values[name])
          const words = unit === undefined ? count : `${count} ${unit}`
          return (
            <div key={name}>
              <dt>
                {label}
                <Small>{description}</Small>
              </dt>
              <dd>{values[name] === 0 && zero !== undefined ? zero : words}</dd>
            </div>
          )
        })}
      </dl>
    </div>
  )
}
