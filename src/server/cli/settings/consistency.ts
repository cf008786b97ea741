import { messageOf } from '../../../shared/basics/message-of.ts'
import { includesEveryAddress } from '../../../shared/operation/public-url.ts'
import { isBucketAddress } from '../../hosting/bucket/bucket-address.ts'
import { UsageError } from '../command/errors.ts'
import { text } from '../strings/serve.ts'
import type { ReadSettings } from './read.ts'

/** Throws `UsageError` for settings that are right one by one, but not together, and for unusable proxies. */
export async function requireConsistent({ values, givenBy }: ReadSettings): Promise<void> {
  const { tlsCert, tlsKey, tlsSelfSigned, trustProxy = [] } = values
  if (tlsSelfSigned && (tlsCert ?? tlsKey) !== undefined) throw new UsageError(text.tlsTwice)
  if (!areTogether([tlsCert, tlsKey])) throw new UsageError(text.tlsPair)
  const hasDatabase = (values.database ?? values.databaseFile) !== undefined
  if (hasDatabase && values.backupEvery > 0) {
    throw new UsageError(text.noBackups(givenBy('backupEvery')))
  }
  if (!hasDatabase && values.nodeName !== undefined) {
    throw new UsageError(text.noNodes(givenBy('nodeName')))
  }
  const { oidcIssuer, oidcClientId, oidcClientSecretFile } = values
  if (!areTogether([oidcIssuer, oidcClientId, oidcClientSecretFile])) {
    throw new UsageError(text.oidcTogether)
  }
  const { smtpHost, mailFrom, smtpUser, smtpPasswordFile } = values
  if (!areTogether([smtpHost, mailFrom])) throw new UsageError(text.smtpTogether)
  if (!areTogether([smtpUser, smtpPasswordFile])) throw new UsageError(text.smtpLoginTogether)
  if (values.artifacts !== undefined && values.publicUrl === undefined) {
    throw new UsageError(text.artifactsTogether)
  }
  const { artifacts = '', s3Endpoint, s3Region } = values
  if ((s3Endpoint ?? s3Region) !== undefined && !isBucketAddress(artifacts)) {
    throw new UsageError(text.s3WithoutBucket)
  }
  const wrongProxy = (reason: string) =>
    new UsageError(text.wrongProxy(givenBy('trustProxy'), reason))
  const everyone = trustProxy.find(includesEveryAddress)
  if (everyone !== undefined) throw wrongProxy(text.everyAddress(everyone))
  const { compileTrust } = await import('../../http/request/address.ts')
  try {
    compileTrust(trustProxy)
  } catch (error) {
    throw wrongProxy(messageOf(error))
  }
}

function areTogether(values: readonly unknown[]): boolean {
  return new Set(values.map((value) => value === undefined)).size === 1
}
