import { Checkbox, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { useState } from 'react'
import type { AppRouter } from '../../server/console/router.ts'
import { ProvingPolicy, SignatureFormat } from '../../shared/files/proof.ts'
import { Version } from '../../shared/names.ts'
import { type ChannelPolicy, RollbackPolicy, UpdateMode } from '../../shared/releases/channel.ts'
import { PreflightPolicy } from '../../shared/releases/preflight-policy.ts'
import { ChangesList } from '../audit/changes-list.tsx'
import { server, serverClient } from '../bridge/clients.ts'
import { Notice } from '../components/blocks.tsx'
import { faultOf } from '../components/change/fault.ts'
import { useChange } from '../components/change/use-change.ts'
import { DialogForm } from '../components/dialog/dialog-form.tsx'
import { TextField } from '../components/text-fields.tsx'
import { draftOf, EarlyAccessFields, readEarlyAccess } from './early-access-fields.tsx'
import {
  PREFLIGHT_WORDS,
  PROVING_WORDS,
  ROLLBACK_WORDS,
  SIGNATURE_FORMAT_WORDS,
  UPDATE_MODE_WORDS,
} from './policy-strings.ts'
import { text } from './strings.ts'

/** A policy and its history as they reach the page. */
type Policy = inferRouterOutputs<AppRouter>['channels']['policy']

interface Props {
  readonly app: string
  readonly channel: string
  /** As it is now; it may change while the form is filled in. */
  readonly current: Policy
  /** Starts the form anew with the policy as it is now. */
  readonly onReview: () => void
  readonly onClose: () => void
}

/** The fields of a policy. They are sent with the revision that they were filled in with. */
export function PolicyForm({ app, channel, current, onReview, onClose }: Props) {
  const [seen] = useState(current)
  const { data: approvers } = useQuery(server.channels.approvers.queryOptions({ app }))
  const [policy, setPolicy] = useState<ChannelPolicy>(current.policy)
  const [draft, setDraft] = useState(() => draftOf(current.policy.earlyAccess))
  const [isSaved, setSaved] = useState(false)
  const change = (part: Partial<ChannelPolicy>) => setPolicy({ ...policy, ...part })
  const save = useChange(serverClient.channels.setPolicy.mutate, {
    done: text.policy.done(channel),
    failed: text.policy.failed(channel),
    onAnswer: () => setSaved(true),
    onDone: onClose,
  })
  const isOutdated = !isSaved && !save.isPending && current.lastChange !== seen.lastChange
  const fault = faultOf(Version, policy.minimumSupportedVersion, text.policy.minimumSubject)
  const read = readEarlyAccess(draft)
  const submit = () => {
    if (!read.ok) return
    const changed = { ...policy, earlyAccess: read.list }
    save.send({ app, channel, policy: changed, seenChange: seen.lastChange })
  }
  return (
    <DialogForm
      action={text.policy.action}
      change={isOutdated ? { ...save, error: null } : save}
      valid={fault === undefined && read.ok}
      disabled={isOutdated}
      onSubmit={submit}
    >
      {(tried) => (
        <>
          {isOutdated && (
            <Notice
              title={text.policy.changed}
              action={{ name: text.policy.review, onClick: onReview }}
            >
              <ChangesList changes={current.history.filter(({ id }) => id > seen.lastChange)} />
              <Text size="sm">{text.policy.changedHint}</Text>
            </Notice>
          )}
          <PolicyChoice
            label={text.policy.updates}
            words={UPDATE_MODE_WORDS}
            options={UpdateMode.options}
            value={policy.updateMode}
            onChange={(updateMode) => change({ updateMode })}
          />
          <TextField
            label={text.policy.minimum}
            description={text.policy.minimumHint}
            value={policy.minimumSupportedVersion}
            onChange={(typed) => change({ minimumSupportedVersion: typed })}
            error={fault}
          />
          <PolicyChoice
            label={text.policy.rollback}
            words={ROLLBACK_WORDS}
            options={RollbackPolicy.options}
            value={policy.rollback}
            onChange={(rollback) => change({ rollback })}
          />
          <PolicyChoice
            label={text.policy.proving}
            words={PROVING_WORDS}
            options={ProvingPolicy.options}
            value={policy.proving}
            onChange={(proving) => change({ proving })}
          />
          <PolicyChoice
            label={text.policy.preflight}
            words={PREFLIGHT_WORDS}
            options={PreflightPolicy.options}
            value={policy.preflight}
            onChange={(preflight) => change({ preflight })}
          />
          <Checkbox.Group
            label={text.policy.unchecked}
            description={text.policy.uncheckedHint}
            value={policy.uncheckedSignatures}
            onChange={(chosen) =>
              change({
                uncheckedSignatures: SignatureFormat.options.filter((each) =>
                  chosen.includes(each),
                ),
              })
            }
          >
            <Stack gap="xs" mt="xs">
              {SignatureFormat.options.map((format) => (
                <Checkbox key={format} value={format} label={SIGNATURE_FORMAT_WORDS[format]} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Checkbox
            label={text.policy.approval}
            description={text.policy.approvalHint}
            checked={policy.requireApproval}
            onChange={(event) => change({ requireApproval: event.currentTarget.checked })}
          />
          {policy.requireApproval && approvers === 0 && (
            <Notice title={text.policy.noApprover}>{text.policy.noApproverHint}</Notice>
          )}
          <EarlyAccessFields draft={draft} read={read} showIssues={tried} onChange={setDraft} />
          <Checkbox
            label={text.policy.manual}
            description={text.policy.manualHint}
            checked={policy.manualChecks}
            onChange={(event) => change({ manualChecks: event.currentTarget.checked })}
          />
          <Checkbox
            label={text.policy.countNew}
            description={text.policy.countNewHint}
            checked={policy.countNewDevices}
            onChange={(event) => change({ countNewDevices: event.currentTarget.checked })}
          />
        </>
      )}
    </DialogForm>
  )
}

interface PolicyChoiceProps<Value extends string> {
  readonly label: string
  readonly words: Readonly<Record<Value, { readonly name: string; readonly meaning: string }>>
  readonly options: readonly Value[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** One part of a policy: a few choices with their meaning. */
function PolicyChoice<Value extends string>(props: PolicyChoiceProps<Value>) {
  const { label, words, options, value, onChange } = props
  return (
    <Radio.Group
      label={label}
      value={value}
      onChange={(chosen) => {
        const option = options.find((each) => each === chosen)
        if (option !== undefined) onChange(option)
      }}
    >
      <Stack gap="xs" mt="xs">
        {options.map((option) => (
          <Radio
            key={option}
            value={option}
            label={words[option].name}
            description={words[option].meaning}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
