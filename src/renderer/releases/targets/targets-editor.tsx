import { Fieldset, Group, Stack, Text } from '@mantine/core'
import { IconLock, IconPlus } from '@tabler/icons-react'
import { memo } from 'react'
import type { Targets } from '../../../shared/releases/targets.ts'
import { Notice } from '../../components/notice.tsx'
import { SmallButton } from '../../components/small-button.tsx'
import { Quiet } from '../../components/text/words.tsx'
import { ConditionRow } from './condition-row.tsx'
import {
  type Condition,
  type ConditionIssue,
  draftOf,
  isOfferedExpression,
  keptValues,
  narrowingOf,
  newCondition,
  readTargets,
  type TargetsDraft,
} from './draft.ts'
import { inSentence, targetsInWords, text } from './strings.ts'

interface Props {
  readonly value: TargetsDraft
  readonly onChange: (draft: TargetsDraft) => void
  /** Shows what is wrong beside the fields; otherwise only the sentence waits for it. */
  readonly showIssues: boolean
  /** Targets with which the release has been offered: from then on they can only be broadened. */
  readonly offered?: Targets | undefined
}

/** Which devices a release targets: label matches and expressions, and a sentence that says the same. */
export const TargetsEditor = memo(function TargetsEditor(props: Props) {
  const { value, onChange, showIssues, offered } = props
  const read = readTargets(value)
  const narrowing = offered === undefined ? undefined : narrowingOf(value, offered)
  const issueOf = (id: string): ConditionIssue | undefined =>
    narrowing?.issues.get(id) ?? (showIssues && !read.ok ? read.issues.get(id) : undefined)
  const replace = (list: keyof TargetsDraft, row: Condition) =>
    onChange({ ...value, [list]: value[list].map((old) => (old.id === row.id ? row : old)) })
  const remove = (list: keyof TargetsDraft, id: string) =>
    onChange({ ...value, [list]: value[list].filter((row) => row.id !== id) })
  const add = (list: keyof TargetsDraft, row: Condition) =>
    onChange({ ...value, [list]: [...value[list], row] })
  const frozen = offered !== undefined
  return (
    <Stack gap="md">
      {offered && (
        <BroadenRule
          isExpressionMissing={narrowing?.isExpressionMissing === true}
          onReset={() => onChange(draftOf(offered))}
        />
      )}
      <Fieldset legend={text.labels} variant="unstyled">
        <Stack gap="xs">
          {value.labels.map((row, index) => (
            <ConditionRow
              key={row.id}
              kind="label"
              name={text.label(index + 1)}
              value={row}
              issue={issueOf(row.id)}
              kept={offered && keptValues(offered, row.key)}
              onChange={(next) => replace('labels', next)}
              onRemove={() => remove('labels', row.id)}
            />
          ))}
          {!frozen && (
            <AddButton onClick={() => add('labels', newCondition())}>{text.addLabel}</AddButton>
          )}
          {frozen && value.labels.length === 0 && <None>{text.noLabels}</None>}
        </Stack>
      </Fieldset>
      <Fieldset legend={text.expressions} variant="unstyled">
        <Stack gap="xs">
          {value.expressions.map((row, index) => (
            <ConditionRow
              key={row.id}
              kind="expression"
              name={text.expression(index + 1)}
              value={row}
              issue={issueOf(row.id)}
              locked={offered !== undefined && isOfferedExpression(row, offered)}
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
              {text.addExpression}
            </AddButton>
          )}
          {frozen && value.expressions.length === 0 && <None>{text.noExpressions}</None>}
        </Stack>
      </Fieldset>
      <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
        <Text span fw={500}>
          {text.targets}{' '}
        </Text>
        {read.ok ? inSentence(targetsInWords(read.targets)) : text.incomplete}
      </Text>
    </Stack>
  )
})

interface RuleProps {
  readonly isExpressionMissing: boolean
  readonly onReset: () => void
}

function BroadenRule({ isExpressionMissing, onReset }: RuleProps) {
  return (
    <Notice icon={IconLock} title={text.broadenTitle} color="tide">
      <Stack gap="xs" align="start">
        {text.broaden}
        {isExpressionMissing && (
          <>
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {text.expressionsRemoved}
            </Text>
            <SmallButton onClick={onReset}>{text.startOver}</SmallButton>
          </>
        )}
      </Stack>
    </Notice>
  )
}

function AddButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Group>
      <SmallButton icon={IconPlus} onClick={onClick}>
        {children}
      </SmallButton>
    </Group>
  )
}

function None({ children }: { children: string }) {
  return <Quiet>{children}</Quiet>
}
