# The image that bots run on, for those who have a registry; `make bot-image` needs none.
# PYTHON is the whole version, of the worker's minor version:
#   docker build --build-arg PYTHON=3.11.7 --tag santase-bot:3.11.7 --file docker/bot.Dockerfile docker
ARG PYTHON
FROM python:${PYTHON}-slim
ARG PYTHON
# Nothing in it gives powers, and nothing but the standard library is to be imported.
RUN find / -xdev -perm /6000 -type f -exec chmod a-s {} + \
 && rm -rf /usr/local/lib/python3*/site-packages/* /usr/local/lib/python3*/ensurepip
USER 65534:65534
LABEL santase.version="${PYTHON}" \
      santase.python="/usr/local/bin/python3" \
      santase.readable="[\"/usr\"]"
