import { Fieldset, Group, Stack, Text } from '@mantine/core'
import { IconLock, IconPlus } from '@tabler/icons-react'
import { memo } from 'react'
import type { Targets } from '../../../shared/releases/targets.ts'
import { Notice, SmallButton } from '../../components/blocks.tsx'
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
  return (
    <Stack gap="md">
      {offered && (
        <BroadenRule
          isExpressionMissing={narrowing?.isExpressionMissing === true}
          onReset={() => onChange(draftOf(offered))}
        />
      )}
      {(['labels', 'expressions'] as const).map((list) => (
        <Fieldset key={list} legend={text[list]} variant="unstyled">
          <Stack gap="xs">
            {value[list].map((row, index) => (
              <ConditionRow
                key={row.id}
                kind={PARTS[list].kind}
                name={text[PARTS[list].kind](index + 1)}
                value={row}
                issue={issueOf(row.id)}
                {...(offered && PARTS[list].keep(row, offered))}
                onChange={(next) => replace(list, next)}
                onRemove={() => remove(list, row.id)}
              />
            ))}
            {offered === undefined && (
              <Group>
                <SmallButton
                  icon={IconPlus}
                  onClick={() => add(list, newCondition(PARTS[list].first))}
                >
                  {PARTS[list].add}
                </SmallButton>
              </Group>
            )}
            {offered !== undefined && value[list].length === 0 && <Quiet>{PARTS[list].none}</Quiet>}
          </Stack>
        </Fieldset>
      ))}
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

/** The two lists of conditions, and what of a row stays once devices were offered the release. */
const PARTS = {
  labels: {
    kind: 'label',
    first: {},
    add: text.addLabel,
    none: text.noLabels,
    keep: (row: Condition, offered: Targets) => ({ kept: keptValues(offered, row.key) }),
  },
  expressions: {
    kind: 'expression',
    first: { key: 'device.version', operator: 'VersionIn' },
    add: text.addExpression,
    none: text.noExpressions,
    keep: (row: Condition, offered: Targets) => ({ locked: isOfferedExpression(row, offered) }),
  },
} as const
