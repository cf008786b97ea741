import type { CatalogWrites } from '../../catalog/store.ts'
import { AreaClient } from '../writer/area-client.ts'
import type { ArgsOf, TransactionRunner } from '../writer/transaction-runner.ts'

type CallArgs<Name extends keyof CatalogWrites> = ArgsOf<CatalogWrites[Name]>

/** The catalog of a transaction. */
export class TransactionClient extends AreaClient<'catalog'> implements CatalogWrites {
  constructor(runner: TransactionRunner, file: string) {
    super('catalog', runner, file)
  }

  revision(...args: CallArgs<'revision'>) {
    return this.ask('revision', args)
  }

  apps(...args: CallArgs<'apps'>) {
    return this.ask('apps', args)
  }

  channels(...args: CallArgs<'channels'>) {
    return this.ask('channels', args)
  }

  release(...args: CallArgs<'release'>) {
    return this.ask('release', args)
  }

  releasePage(...args: CallArgs<'releasePage'>) {
    return this.ask('releasePage', args)
  }

  keys(...args: CallArgs<'keys'>) {
    return this.ask('keys', args)
  }

  changeRequests(...args: CallArgs<'changeRequests'>) {
    return this.ask('changeRequests', args)
  }

  changeRequest(...args: CallArgs<'changeRequest'>) {
    return this.ask('changeRequest', args)
  }

  countOpenChangeRequests(...args: CallArgs<'countOpenChangeRequests'>) {
    return this.ask('countOpenChangeRequests', args)
  }

  expiredChangeRequests(...args: CallArgs<'expiredChangeRequests'>) {
    return this.ask('expiredChangeRequests', args)
  }

  proofs(...args: CallArgs<'proofs'>) {
    return this.ask('proofs', args)
  }

  plan(...args: CallArgs<'plan'>) {
    return this.ask('plan', args)
  }

  plans(...args: CallArgs<'plans'>) {
    return this.ask('plans', args)
  }

  drafts(...args: CallArgs<'drafts'>) {
    return this.ask('drafts', args)
  }

  draft(...args: CallArgs<'draft'>) {
    return this.ask('draft', args)
  }

  countDrafts(...args: CallArgs<'countDrafts'>) {
    return this.ask('countDrafts', args)
  }

  expiredDrafts(...args: CallArgs<'expiredDrafts'>) {
    return this.ask('expiredDrafts', args)
  }

  audit(...args: CallArgs<'audit'>) {
    return this.ask('audit', args)
  }

  auditOf(...args: CallArgs<'auditOf'>) {
    return this.ask('auditOf', args)
  }

  lastAuditId(...args: CallArgs<'lastAuditId'>) {
    return this.ask('lastAuditId', args)
  }

  countAudit(...args: CallArgs<'countAudit'>) {
    return this.ask('countAudit', args)
  }

  auditIn(...args: CallArgs<'auditIn'>) {
    return this.ask('auditIn', args)
  }

  insertApp(...args: CallArgs<'insertApp'>) {
    return this.ask('insertApp', args)
  }

  setAppName(...args: CallArgs<'setAppName'>) {
    return this.ask('setAppName', args)
  }

  setProving(...args: CallArgs<'setProving'>) {
    return this.ask('setProving', args)
  }

  setFreezes(...args: CallArgs<'setFreezes'>) {
    return this.ask('setFreezes', args)
  }

  putPlan(...args: CallArgs<'putPlan'>) {
    return this.ask('putPlan', args)
  }

  removePlan(...args: CallArgs<'removePlan'>) {
    return this.ask('removePlan', args)
  }

  setProof(...args: CallArgs<'setProof'>) {
    return this.ask('setProof', args)
  }

  setProofsDue(...args: CallArgs<'setProofsDue'>) {
    return this.ask('setProofsDue', args)
  }

  setArchived(...args: CallArgs<'setArchived'>) {
    return this.ask('setArchived', args)
  }

  insertChannel(...args: CallArgs<'insertChannel'>) {
    return this.ask('insertChannel', args)
  }

  setPolicy(...args: CallArgs<'setPolicy'>) {
    return this.ask('setPolicy', args)
  }

  insertRelease(...args: CallArgs<'insertRelease'>) {
    return this.ask('insertRelease', args)
  }

  setServing(...args: CallArgs<'setServing'>) {
    return this.ask('setServing', args)
  }

  insertKey(...args: CallArgs<'insertKey'>) {
    return this.ask('insertKey', args)
  }

  setRevoked(...args: CallArgs<'setRevoked'>) {
    return this.ask('setRevoked', args)
  }

  insertChangeRequest(...args: CallArgs<'insertChangeRequest'>) {
    return this.ask('insertChangeRequest', args)
  }

  closeChangeRequest(...args: CallArgs<'closeChangeRequest'>) {
    return this.ask('closeChangeRequest', args)
  }

  removeChangeRequests(...args: CallArgs<'removeChangeRequests'>) {
    return this.ask('removeChangeRequests', args)
  }

  putDraft(...args: CallArgs<'putDraft'>) {
    return this.ask('putDraft', args)
  }

  removeDraft(...args: CallArgs<'removeDraft'>) {
    return this.ask('removeDraft', args)
  }

  requestErasure(...args: CallArgs<'requestErasure'>) {
    return this.ask('requestErasure', args)
  }

  appendAudit(...args: CallArgs<'appendAudit'>) {
    return this.ask('appendAudit', args)
  }
}
