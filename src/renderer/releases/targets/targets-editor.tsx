import { Alert, Button, Fieldset, Group, Stack, Text } from '@mantine/core'
import { IconLock, IconPlus } from '@tabler/icons-react'
import type { Targets } from '../../../shared/targets.ts'
import { ConditionRow } from './condition-row.tsx'
import {
  type Condition,
  type ConditionIssue,
  newCondition,
  readTargets,
  type TargetsDraft,
} from './draft.ts'
import { targetsInWords } from './strings.ts'

interface Props {
  readonly value: TargetsDraft
  readonly onChange: (draft: TargetsDraft) => void
  /** Shows what is wrong beside the fields; otherwise only the sentence waits for it. */
  readonly showIssues: boolean
  /** Targets with which the release has been offered: from then on they can only be broadened. */
  readonly offered?: Targets | undefined
}

/** Whom a release is meant for: label matches and expressions, and a sentence that says the same. */
export function TargetsEditor({ value, onChange, showIssues, offered }: Props) {
  const read = readTargets(value)
  const issueOf = (id: string): ConditionIssue | undefined =>
    showIssues && !read.ok ? read.issues.get(id) : undefined
  const replace = (list: keyof TargetsDraft, row: Condition) =>
    onChange({ ...value, [list]: value[list].map((old) => (old.id === row.id ? row : old)) })
  const remove = (list: keyof TargetsDraft, id: string) =>
    onChange({ ...value, [list]: value[list].filter((row) => row.id !== id) })
  const add = (list: keyof TargetsDraft, row: Condition) =>
    onChange({ ...value, [list]: [...value[list], row] })
  const frozen = offered !== undefined
  return (
    <Stack gap="md">
      {frozen && <NarrowingRule />}
      <Fieldset legend="Labels" variant="unstyled">
        <Stack gap="xs">
          {value.labels.map((row, index) => (
            <ConditionRow
              key={row.id}
              kind="label"
              name={`label ${index + 1}`}
              value={row}
              issue={issueOf(row.id)}
              kept={offered && [offered.matchLabels[row.key] ?? []].flat()}
              onChange={(next) => replace('labels', next)}
              onRemove={() => remove('labels', row.id)}
            />
          ))}
          {!frozen && (
            <AddButton onClick={() => add('labels', newCondition())}>Add a label</AddButton>
          )}
          {frozen && value.labels.length === 0 && <None>No labels.</None>}
        </Stack>
      </Fieldset>
      <Fieldset legend="Expressions" variant="unstyled">
        <Stack gap="xs">
          {value.expressions.map((row, index) => (
            <ConditionRow
              key={row.id}
              kind="expression"
              name={`expression ${index + 1}`}
              value={row}
              issue={issueOf(row.id)}
              locked={frozen}
              onChange={(next) => replace('expressions', next)}
              onRemove={() => remove('expressions', row.id)}
            />
          ))}
          {!frozen && (
            <AddButton
              onClick={() =>
                add('expressions', newCondition({ key: 'device.version', operator: 'VersionIn' }))
              }
            >
              Add an expression
            </AddButton>
          )}
          {frozen && value.expressions.length === 0 && <None>No expressions.</None>}
        </Stack>
      </Fieldset>
      <Text size="sm" role="status">
        <Text span fw={500}>
          Meant for:{' '}
        </Text>
        {read.ok ? targetsInWords(read.targets) : 'complete the conditions above to see whom.'}
      </Text>
    </Stack>
  )
}

function NarrowingRule() {
  return (
    <Alert
      icon={<IconLock aria-hidden="true" />}
      variant="light"
      title="Targets can only be broadened"
    >
      Devices have been offered this release. A label can be removed or take more values, so that
      more devices are meant. Nothing that would take the release back from a device is possible: no
      new label, no value less, and the expressions stay as they are.
    </Alert>
  )
}

function AddButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Group>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} aria-hidden="true" />}
        onClick={onClick}
      >
        {children}
      </Button>
    </Group>
  )
}

function None({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  )
}
