/** What a person is asked about one call. */
export interface ApprovalQuestion {
  /** Digest of the staged arguments: what was shown is what will run. */
  readonly argsDigest: string;
  /** Absent while nobody has been asked. */
  readonly deadline?: string;
}
