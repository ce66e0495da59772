# The app in a container: slim, not root, and content with a read-only file system:
#   docker build -t dmlib .
#   docker run --rm --read-only --tmpfs /tmp:size=512m --cap-drop ALL --security-opt no-new-privileges -p 8501:8501 dmlib
# Uploads live in memory and pass through /tmp, so the tmpfs bounds them.

FROM python:3.11.14-slim-bookworm AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/venv
WORKDIR /app
# The packages first: a change in the code then does not install them again.
COPY requirements.txt requirements-cluster.txt ./
RUN grep -hv '^-' requirements.txt requirements-cluster.txt > /tmp/pins.txt && /opt/venv/bin/pip install --only-binary :all: -r /tmp/pins.txt
COPY . .
# Editable, because the app reads assets/ beside the package; byte code now, because later nothing can be written.
RUN /opt/venv/bin/pip install --no-deps -e . \
    && /opt/venv/bin/python -m compileall -q /opt/venv/lib /app/dmlib /app/dashboard /app/ui /app/rooms /app/pages

FROM python:3.11.14-slim-bookworm
ENV PATH=/opt/venv/bin:$PATH \
    HOME=/tmp \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    # One thread for BLAS: visitors run side by side (docs/decisions/0005). More visitors are more containers.
    OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 MKL_NUM_THREADS=1 \
    # Here, and only here, the app listens to the network. Name the hosts it is known by where you can.
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_SERVER_PORT=8501 \
    STREAMLIT_SERVER_HEADLESS=true \
    STREAMLIT_SERVER_ALLOWED_HOSTS=*
COPY --from=build /opt/venv /opt/venv
COPY --from=build /app /app
WORKDIR /app
USER 65534:65534
EXPOSE 8501
# Unknown paths answer 200 with the page, so the body is read. The server answers only when it is warm.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=2s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; assert u.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4).read() == b'ok'"]
CMD ["streamlit", "run", "server.py"]
