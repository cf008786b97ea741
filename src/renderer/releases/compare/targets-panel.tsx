import { Table, Text } from '@mantine/core'
import { isEveryDevice, type MatchExpression } from '../../../shared/targets.ts'
import { Panel } from '../../components/panel.tsx'
import type { ReleasePair } from '../detail.ts'
import { targetsInWords } from '../targets/strings.ts'
import { countKinds } from './change-kind.ts'
import { ChangeMark } from './change-mark.tsx'
import classes from './compare.module.css'
import { countsInWords, namesOf, text } from './strings.ts'
import { targetChanges } from './target-changes.ts'

/** Shows which devices two releases target, condition by condition. */
export function TargetsPanel({ from: { release: from }, to: { release: to } }: ReleasePair) {
  const changes = targetChanges(from.targets, to.targets)
  if (changes.length === 0) {
    return (
      <Panel title={text.targets} aside={<Counts>{text.nothingChanged}</Counts>}>
        <Text c="dimmed">{text.allDevices}</Text>
      </Panel>
    )
  }
  const [fromName, toName] = namesOf(from, to)
  return (
    <Panel title={text.targets} aside={<Counts>{countsInWords(countKinds(changes))}</Counts>} flush>
      <Table layout="fixed" className={classes.table ?? ''} aria-label={text.targets}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes.markColumn}>{text.change}</Table.Th>
            <Table.Th className={classes.text}>{fromName}</Table.Th>
            <Table.Th className={classes.text}>{toName}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ kind, ...change }) => (
            <Table.Tr key={JSON.stringify(change)}>
              <Table.Td>
                <ChangeMark kind={kind} />
              </Table.Td>
              <Table.Td className={classes.text}>
                <Condition condition={change.from} />
              </Table.Td>
              <Table.Td className={classes.text}>
                <Condition condition={change.to} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {isEveryDevice(from.targets) && <Footnote>{text.targetsAll(fromName)}</Footnote>}
      {isEveryDevice(to.targets) && <Footnote>{text.targetsAll(toName)}</Footnote>}
    </Panel>
  )
}

function Counts({ children }: { readonly children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  )
}

function Footnote({ children }: { readonly children: string }) {
  return (
    <Text size="sm" c="dimmed" className={classes.footnote}>
      {children}
    </Text>
  )
}

function Condition({ condition }: { readonly condition: MatchExpression | undefined }) {
  if (condition === undefined) {
    return (
      <Text span size="sm" c="dimmed">
        {text.none}
      </Text>
    )
  }
  return targetsInWords({ matchLabels: {}, matchExpressions: [condition] })
}
