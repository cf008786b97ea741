import { Text } from '@mantine/core'
import { isEveryDevice, type MatchExpression } from '../../../shared/targets.ts'
import { DataTable } from '../../components/list/data-table.tsx'
import { Panel } from '../../components/panel.tsx'
import { Quiet } from '../../components/text/quiet.tsx'
import type { ReleasePair } from '../detail.ts'
import { targetsInWords } from '../targets/strings.ts'
import { ChangeMark } from './change-mark.tsx'
import { countKinds, targetChanges } from './changes.ts'
import classes from './compare.module.css'
import { countsInWords, namesOf, text } from './strings.ts'

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
      <DataTable
        label={text.targets}
        layout="fixed"
        className={classes.table}
        rows={changes}
        keyOf={(change) => JSON.stringify(change)}
        columns={[
          {
            ...{ name: text.change, headClass: classes.markColumn },
            cell: ({ kind }) => <ChangeMark kind={kind} />,
          },
          {
            ...{ name: fromName, className: classes.text, headClass: classes.text },
            cell: (change) => <Condition condition={change.from} />,
          },
          {
            ...{ name: toName, className: classes.text, headClass: classes.text },
            cell: (change) => <Condition condition={change.to} />,
          },
        ]}
      />
      {isEveryDevice(from.targets) && <Footnote>{text.targetsAll(fromName)}</Footnote>}
      {isEveryDevice(to.targets) && <Footnote>{text.targetsAll(toName)}</Footnote>}
    </Panel>
  )
}

function Counts({ children }: { readonly children: string }) {
  return <Quiet>{children}</Quiet>
}

function Footnote({ children }: { readonly children: string }) {
  return <Quiet className={classes.footnote}>{children}</Quiet>
}

function Condition({ condition }: { readonly condition: MatchExpression | undefined }) {
  if (condition === undefined) {
    return <Quiet span>{text.none}</Quiet>
  }
  return targetsInWords({ matchLabels: {}, matchExpressions: [condition] })
}
